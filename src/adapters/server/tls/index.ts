export { prepareCertificate } from './prepare-certificate.js'
export { checkRuntime, sharePort } from './share-port.js'
export { HTTP_2 } from './stream-messages.js'

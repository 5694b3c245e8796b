export { loadCertificate } from './load-certificate.js'
export { sharePort } from './share-port.js'
export { HTTP_2 } from './stream-messages.js'

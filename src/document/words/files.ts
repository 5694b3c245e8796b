/** Properties that say something about a file. Normalized. */
export const FILE_NAME = /^(original|attachment|upload)?file?name$|^originalname$/
export const FILE_SIZE = /^(file|content|attachment|upload)?(size|bytes|length|bytesize|sizebytes|sizeinbytes)$/
export const FILE_CONTENT_TYPE = /^(file)?(content|mime|media)(type)?$|^filetype$/

/** The name of a record that is a file, unless the request has another one. Normalized. */
export const OWN_NAME = /^(name|title)$/

/** The last segment of paths that return the content of a file. Normalized. */
export const DOWNLOAD = /^(content|contents|download|raw|file|data|media|binary|original|blob|body)$/

/** Parts of a form whose JSON is the record itself. Normalized. */
export const RECORD_PART = /^(payloadjson|attributes|metadata|json|payload)$/

/** Media types of files. */
export const FILE_TYPE = /^(image|audio|video|font|\*)\/|octet-stream|\b(pdf|zip|gzip|tar|binary|csv)\b/i

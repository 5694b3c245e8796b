/** That of the Pet Store's document, in every version. */
export const TITLE = 'Pet Store Service'

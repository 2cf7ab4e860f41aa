/** What a writer changes of a message: a new text or caption, or its revocation. */
export type Rewriting = { readonly kind: 'edit'; readonly text: string } | { readonly kind: 'revoke' }

/** What a writer makes of a message: another text or caption, or nothing any more. */
export type Rewriting = { readonly kind: 'edit'; readonly text: string } | { readonly kind: 'revoke' }

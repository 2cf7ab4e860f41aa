/** What a number hears of its messages to be sent. */
export type SendsMessage =
  /** Messages wait to be sent. */
  | { readonly type: 'Send' }
  /** Says whether sending has work, or has finished all that it knew of at wake `wakes`. */
  | { readonly type: 'SendingReported'; readonly isBusy: boolean; readonly wakes: number }
  | { readonly type: 'SendingCrashed' }

/** `sending` restarts the sending actor after a crash. */
export type SendsTimer = 'sending'

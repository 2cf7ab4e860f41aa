/** What a number hears of its messages to be sent. */
export type SendsMessage =
  /** Messages wait to be sent. */
  | { readonly type: 'Send' }
  /** Sending has something in hand, or has worked off all it knew of at wake `wakes`. */
  | { readonly type: 'SendingReported'; readonly isBusy: boolean; readonly wakes: number }
  | { readonly type: 'SendingCrashed' }

/** Sending starts again after a crash. */
export type SendsTimer = 'sending'

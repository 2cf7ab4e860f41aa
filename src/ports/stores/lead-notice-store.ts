/** What upstream's webhook says of a lead: no personal data. Ids are digits. */
export interface LeadNotice {
  readonly leadgenId: string
  readonly pageId: string
  readonly formId: string | null
  readonly adId: string | null
}

/** A notice that is being worked off. */
export interface TakenNotice extends LeadNotice {
  /** Tries that failed. */
  readonly tries: number
  readonly noticedAt: Date
  /** Proves that the notice is still this node's: nobody has taken it since. */
  readonly claim: Date
}

/** Who takes notices, and how. */
export interface NoticeTaking {
  /** The process, as its row of `nodes` names it. */
  readonly by: string
  readonly leaseMs: number
  /** Pages that are skipped. */
  readonly except?: readonly string[]
}

/**
 * Leads that upstream told of and that are not stored yet, one for each Page that told of a lead, however often it did:
 * what one Page tells never keeps a lead from another.
 */
export interface LeadNoticeStore {
  /**
   * Stores notices of Pages that are linked with this app and this secret, unless the lead is known, erased ones
   * included. One statement. Gives the number of new ones.
   */
  accept(appId: string, appSecret: string, notices: readonly LeadNotice[]): Promise<number>
  /** Stores what a sweep found on a Page, as `accept` does. */
  acceptFound(pageId: string, notices: readonly LeadNotice[]): Promise<number>
  /**
   * Takes due notices of Pages whose token is valid, at most `perPage` of each. Nobody else gets them for `leaseMs`,
   * while the process that takes them is a node.
   */
  take(limit: number, perPage: number, taking: NoticeTaking): Promise<readonly TakenNotice[]>
  /** Makes notices due again that processes took which are gone. */
  giveBack(): Promise<void>
  /**
   * Puts a try off; one that was only delayed (a dead token, a number whose mode cannot be read) does not count. Does
   * nothing when the claim is lost.
   */
  postpone(notice: TakenNotice, dueAt: Date, countsAsTry: boolean): Promise<void>
  /** Gives a notice up. */
  drop(notice: Pick<TakenNotice, 'leadgenId' | 'pageId'>): Promise<void>
  /** Counts the waiting notices, with the time since the oldest waits; for metrics. */
  waiting(): Promise<{ readonly count: number; readonly oldestAt: Date | null }>
}

/** What upstream's webhook says of a lead: no personal data. Ids are digits. */
export interface LeadNotice {
  readonly leadgenId: string
  readonly pageId: string
  readonly formId: string | null
  readonly adId: string | null
}

/** A notice that is being worked off. */
export interface TakenNotice extends LeadNotice {
  /** Tries that came to nothing. */
  readonly tries: number
  readonly noticedAt: Date
  /** Proves that it is still ours: nobody has taken it since. */
  readonly claim: Date
}

/** Who takes notices, and how. */
export interface NoticeTaking {
  /** The process, as its row of `nodes` names it. */
  readonly by: string
  readonly leaseMs: number
  /** Pages that are passed over. */
  readonly except?: readonly string[]
}

/**
 * Leads that upstream told of and that are not stored yet, each once of the Page that told of it, however often: what
 * is told of one Page keeps no lead from another.
 */
export interface LeadNoticeStore {
  /**
   * Stores those of Pages that are linked with this app and this secret, unless the lead is known, erased ones
   * included. One statement. Answers how many were new.
   */
  accept(appId: string, appSecret: string, notices: readonly LeadNotice[]): Promise<number>
  /** The same for what a sweep found on a Page. */
  acceptFound(pageId: string, notices: readonly LeadNotice[]): Promise<number>
  /**
   * Due notices of Pages whose token is good, at most `perPage` of each; nobody else gets them for `leaseMs`, while the
   * process that takes them is a node.
   */
  take(limit: number, perPage: number, taking: NoticeTaking): Promise<readonly TakenNotice[]>
  /** Those that processes took which are gone are due again. */
  giveBack(): Promise<void>
  /**
   * To be tried again; a try that was only held up (a dead token, a number whose mode cannot be read) does not count.
   * Nothing where the claim is lost.
   */
  postpone(notice: TakenNotice, dueAt: Date, countsAsTry: boolean): Promise<void>
  /** Gives it up. */
  drop(notice: Pick<TakenNotice, 'leadgenId' | 'pageId'>): Promise<void>
  /** How many wait, and since when the oldest does; for metrics. */
  waiting(): Promise<{ readonly count: number; readonly oldestAt: Date | null }>
}

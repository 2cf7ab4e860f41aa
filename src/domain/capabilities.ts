/**
 * What a number can do or cannot, by its kind (spec: provider kinds; contract 3, 6). It is a matter of the kind, not of
 * the installation: a route refuses FEATURE_NOT_SUPPORTED by it even where no driver is configured. Each kind answers
 * all of it in its profile (`kinds/`).
 */
export interface Capabilities {
  /** It is a device that scans a code, and is made without credentials. */
  readonly pairing: boolean
  readonly calls: boolean
  /** The audio of its calls goes through our media host: voice bots, files played, raw audio. */
  readonly callAudio: boolean
  /** Session descriptions of its calls come from the tenant's own WebRTC end, and go to it. */
  readonly callSdp: boolean
  readonly callPreAccept: boolean
  readonly callSettings: boolean
  readonly callPermissions: boolean
  readonly groups: boolean
  readonly newsletters: boolean
  readonly numberCheck: boolean
  readonly flows: boolean
  /** A media that came in is fetched by its id, for as long as upstream has it. */
  readonly mediaDownload: boolean
  /** Upstream says which ad or post a conversation began with. */
  readonly referrals: boolean
  /** Upstream can be asked for its templates, which it reviews. */
  readonly templateReview: boolean
  /** What upstream tells is passed on in its own envelope; messages that come in are told by it alone. */
  readonly nativeEvents: boolean
  /** Messages that come in are told by events of ours. */
  readonly inboundEvents: boolean
}

/** A route asks for one before any actor is asked (style rule 9). */
export type Capability = keyof Capabilities

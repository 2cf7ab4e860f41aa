/**
 * What a number can do, by its kind ([numbers.object.2]). It is a matter of the kind, not of the installation: a route
 * refuses FEATURE_NOT_SUPPORTED by it even where no driver is configured. Each kind's profile (`kinds/`) answers all of
 * it.
 */
export interface Capabilities {
  /** The number is a device that scans a code, and is made without credentials. */
  readonly pairing: boolean
  readonly calls: boolean
  /** The audio of its calls goes through our media host, for voice bots, played files and raw audio. */
  readonly callAudio: boolean
  /** Session descriptions of its calls come from the tenant's own WebRTC end, and go to it. */
  readonly callSdp: boolean
  readonly callPreAccept: boolean
  readonly callSettings: boolean
  readonly callPermissions: boolean
  readonly groups: boolean
  readonly newsletters: boolean
  readonly numberCheck: boolean
  /** The text of a sent message can be changed. */
  readonly edits: boolean
  /** A sent message can be taken back from everybody. */
  readonly revocations: boolean
  /** A peer is shown that the number writes. */
  readonly typing: boolean
  readonly flows: boolean
  /** Messages that ask a user who hides the number for it. */
  readonly contactRequests: boolean
  readonly polls: boolean
  /** Media that came in can be fetched by its id, for as long as upstream has it. */
  readonly mediaDownload: boolean
  /** Upstream says which ad or post a conversation began with. */
  readonly referrals: boolean
  /** Upstream reviews its templates, and can be asked for them. */
  readonly templateReview: boolean
  /** Upstream's news is passed on in its own envelope, which alone tells of messages that came in. */
  readonly nativeEvents: boolean
  /** Messages that came in are told by the service's own events. */
  readonly inboundEvents: boolean
}

/** A route checks one before it asks any actor. */
export type Capability = keyof Capabilities

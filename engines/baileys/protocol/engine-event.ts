/**
 * An event of the device bridge before it has its `seq`. Fields: [bridge.events.1] and on, [engines.bridge.4] and on.
 */
export interface EngineEvent {
  readonly ev: string
  readonly [field: string]: unknown
}

export type SequencedEvent = EngineEvent & { readonly seq: number }

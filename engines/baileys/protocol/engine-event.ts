/** An event of the device bridge before it has its `seq`; fields by contract 8 and 21. */
export interface EngineEvent {
  readonly ev: string
  readonly [field: string]: unknown
}

export type SequencedEvent = EngineEvent & { readonly seq: number }

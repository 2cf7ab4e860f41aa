import type { FlowId } from '../../domain/ids.ts'
import type { FlowOwner } from './flow-store.ts'

/** Both halves of a key pair, PEM. */
export interface FlowKeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

/** The key pair of an account that is in use, as it is shown: without its private half. */
export interface FlowKey {
  readonly publicKey: string
  readonly createdAt: Date
}

/**
 * Key pairs by which phones and Flow endpoints talk (contract 11, data_exchange), one in use for each account in a
 * tenant. Private halves are sealed at rest.
 */
export interface FlowKeyStore {
  /**
   * The pair is in use from now on, and the one before it replaced. Two at once each in turn. False: the last number of
   * the account is gone, nothing was stored.
   */
  create(owner: FlowOwner, pair: FlowKeyPair): Promise<boolean>
  /** Null: the account has none. */
  current(owner: FlowOwner): Promise<FlowKey | null>
  /** The pair in use, and those that were replaced less than `graceMs` ago, newest first. */
  readable(owner: FlowOwner, graceMs: number): Promise<readonly FlowKeyPair[]>
}

/** Where the phones' asks of a Flow are passed on to. */
export interface FlowEndpoint {
  readonly owner: FlowOwner
  readonly url: string
  /** What asks are signed with, as webhooks are. */
  readonly secret: string
}

/** Endpoints of Flows. Secrets are sealed at rest. */
export interface FlowEndpointStore {
  /** In place of the one before. False: there is no such Flow. */
  set(flowId: FlowId, endpoint: Pick<FlowEndpoint, 'url' | 'secret'>): Promise<boolean>
  /** False: there is no such Flow. */
  clear(flowId: FlowId): Promise<boolean>
  /** Null: there is no such Flow, or it has none. */
  find(flowId: string): Promise<FlowEndpoint | null>
}

/** All that an ask of a phone is proved, read and passed on with. */
export interface FlowExchangeFacts {
  /** Of the account's numbers in the tenant, each once. */
  readonly appSecrets: readonly string[]
  /** PEM, those that read: newest first. */
  readonly privateKeys: readonly string[]
  /** Null: it has none. */
  readonly endpoint: Pick<FlowEndpoint, 'url' | 'secret'> | null
}

/** What a Flow's exchange is made of, read at once: it is read for every ask. */
export interface FlowExchangeStore {
  /** With the key pair in use, and those that were replaced less than `graceMs` ago. Null: there is no such Flow. */
  factsOf(flowId: string, graceMs: number): Promise<FlowExchangeFacts | null>
}

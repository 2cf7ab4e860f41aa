import type { FlowId } from '../../domain/ids.ts'
import type { FlowOwner } from './flow-store.ts'

/** Both halves of a key pair, in PEM. */
export interface FlowKeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

/** The key pair that an account uses, as it is shown: without its private half. */
export interface FlowKey {
  readonly publicKey: string
  readonly createdAt: Date
}

/**
 * Key pairs by which phones and Flow endpoints talk ([flows.data-exchange.2] to [flows.data-exchange.4]), one in use
 * for each account in a tenant. Private halves are sealed at rest.
 */
export interface FlowKeyStore {
  /**
   * Puts a pair into use and replaces the one before; concurrent calls take turns. False, with nothing stored, when the
   * last number of the account is gone.
   */
  create(owner: FlowOwner, pair: FlowKeyPair): Promise<boolean>
  /** Reads the pair in use; null when the account has none. */
  current(owner: FlowOwner): Promise<FlowKey | null>
  /** Reads the pair in use, and those that were replaced less than `graceMs` ago, newest first. */
  readable(owner: FlowOwner, graceMs: number): Promise<readonly FlowKeyPair[]>
}

/** The address to which the questions of a Flow's phones are passed on. */
export interface FlowEndpoint {
  readonly owner: FlowOwner
  readonly url: string
  /** The secret that signs the questions, as webhooks are signed. */
  readonly secret: string
}

/** Endpoints of Flows. Secrets are sealed at rest. */
export interface FlowEndpointStore {
  /** Sets the endpoint in place of any before. False when there is no such Flow. */
  set(flowId: FlowId, endpoint: Pick<FlowEndpoint, 'url' | 'secret'>): Promise<boolean>
  /** Removes the endpoint. False when there is no such Flow. */
  clear(flowId: FlowId): Promise<boolean>
  /** Reads the endpoint; null when there is no such Flow, or it has none. */
  find(flowId: string): Promise<FlowEndpoint | null>
}

/** All that is needed to verify, decrypt and pass on a question of a phone. */
export interface FlowExchangeFacts {
  /** The app secrets of the account's numbers in the tenant, each once. */
  readonly appSecrets: readonly string[]
  /** The private keys that still read, in PEM, newest first. */
  readonly privateKeys: readonly string[]
  /** Null when the Flow has none. */
  readonly endpoint: Pick<FlowEndpoint, 'url' | 'secret'> | null
}

/** The facts of a Flow's exchange, in one read, since every question of a phone needs them. */
export interface FlowExchangeStore {
  /**
   * Reads the facts with the key pair in use, and those replaced less than `graceMs` ago. Null when there is no such
   * Flow.
   */
  factsOf(flowId: string, graceMs: number): Promise<FlowExchangeFacts | null>
}

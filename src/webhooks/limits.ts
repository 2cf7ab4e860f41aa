import type { TenantId } from '../domain/ids.ts'
import { Tally } from '../domain/tally.ts'
import type { WebhookId } from '../domain/webhook.ts'

export interface LimitRules {
  /** Most deliveries under way to one webhook. */
  readonly endpoint: number
  /** Most deliveries under way on this node. */
  readonly total: number
}

/**
 * Our choice: ten at a time give a receiver that takes 100 ms 100 deliveries a second; 256 sockets are no burden to a
 * node.
 */
export const DEFAULT_LIMITS: LimitRules = { endpoint: 10, total: 256 }

/**
 * Our choice for the guarded client that deliveries use: many tenants keep their endpoints on one host (automation
 * platforms), so only the limits above bound an endpoint. Connections of a neighbour that hangs never do.
 */
export const CONNECTIONS_PER_ORIGIN = DEFAULT_LIMITS.total

/** Counts the deliveries under way, so that no webhook and no tenant takes all places. */
export class Limits {
  readonly rules: LimitRules
  readonly #byWebhook = new Tally<WebhookId>()
  readonly #byTenant = new Tally<TenantId>()
  #total = 0

  constructor(rules: LimitRules) {
    this.rules = rules
  }

  get total(): number {
    return this.#total
  }

  get isFull(): boolean {
    return this.#total >= this.rules.total
  }

  isWebhookFull(webhookId: WebhookId): boolean {
    return this.#byWebhook.of(webhookId) >= this.rules.endpoint
  }

  isTenantFull(tenantId: TenantId): boolean {
    return this.#byTenant.of(tenantId) >= this.share(tenantId)
  }

  /**
   * Our choice: with n tenants at work each may use 1/(n+1) of the node, so that one more always finds room: a tenant
   * alone gets half, two get a third each. Deliveries under way are never stopped for that.
   */
  share(tenantId: TenantId): number {
    const atWork = this.#byTenant.size + (this.#byTenant.of(tenantId) > 0 ? 0 : 1)
    return Math.max(1, Math.floor(this.rules.total / (atWork + 1)))
  }

  /** Takes a place when the node, the tenant and the webhook all have one, and answers whether it did. */
  take(webhookId: WebhookId, tenantId: TenantId): boolean {
    if (this.isFull || this.isWebhookFull(webhookId) || this.isTenantFull(tenantId)) return false
    this.#byWebhook.add(webhookId, 1)
    this.#byTenant.add(tenantId, 1)
    this.#total++
    return true
  }

  /** Gives a taken place back. */
  give(webhookId: WebhookId, tenantId: TenantId): void {
    this.#byWebhook.add(webhookId, -1)
    this.#byTenant.add(tenantId, -1)
    this.#total--
  }
}

import { DEFAULT_BRANDING } from '../../../src/domain/branding.ts'
import type { Branding } from '../../../src/domain/branding.ts'
import type { TenantId } from '../../../src/domain/ids.ts'
import { LOGO_KEPT_MS } from '../../../src/domain/logo.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { BrandingStore, StoredLogo } from '../../../src/ports/stores/branding-store.ts'
import type { MemoryRows } from './rows.ts'

/** Brands of tenants and their logos in memory. */
export class MemoryBranding implements BrandingStore {
  readonly #rows: MemoryRows
  readonly #clock: Clock

  constructor(rows: MemoryRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  async read(tenantId: TenantId): Promise<Branding> {
    return this.#rows.brands.get(tenantId) ?? DEFAULT_BRANDING
  }

  async change(tenantId: TenantId, fields: Partial<Branding>): Promise<Branding> {
    const brand = { ...(this.#rows.brands.get(tenantId) ?? DEFAULT_BRANDING), ...fields }
    this.#rows.brands.set(tenantId, brand)
    return brand
  }

  async addLogo(logo: StoredLogo): Promise<void> {
    this.#rows.logos.set(logo.key, { logo, referencedMs: this.#clock.now() })
  }

  async findLogo(key: string): Promise<StoredLogo | null> {
    const row = this.#rows.logos.get(key)
    return row ? row.logo : null
  }

  async takeUnreferencedLogos(limit: number): Promise<readonly StoredLogo[]> {
    const { logos, brands, links, embedSessions } = this.#rows
    const told = JSON.stringify([
      ...brands.values(),
      ...[...links.values(), ...embedSessions.values()].map(({ branding }) => branding),
    ])
    const now = this.#clock.now()
    for (const [key, { logo }] of logos) if (told.includes(key)) logos.set(key, { logo, referencedMs: now })
    const gone = [...logos.values()]
      .filter(({ referencedMs }) => referencedMs <= now - LOGO_KEPT_MS)
      .slice(0, limit)
      .map(({ logo }) => logo)
    for (const { key } of gone) logos.delete(key)
    return gone
  }
}

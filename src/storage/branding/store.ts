import { DEFAULT_BRANDING } from '../../domain/branding.ts'
import type { Branding } from '../../domain/branding.ts'
import type { TenantId } from '../../domain/ids.ts'
import { LOGO_KEPT_MS } from '../../domain/logo.ts'
import type { BrandingStore, StoredLogo } from '../../ports/stores/branding-store.ts'
import type { Engine } from '../engine/engine.ts'

interface LogoRow {
  readonly key: string
  readonly tenant_id: TenantId
  readonly mime_type: string
  readonly file_name: string
  readonly size_bytes: number
}

const LOGO = 'key, tenant_id, mime_type, file_name, size_bytes'

/** Our choice: that a logo is referred to is noted this often at most, in ms. */
const NOTED_EVERY_MS = 3_600_000

/**
 * Keys of logos in the brands of tenants, in links that are kept and in embed sessions: `referred (key)`. One pass over those that name a
 * logo at all, so that many links cost no more than being read once.
 */
const REFERRED = `brands (fields) as (
    select fields from tenant_branding where fields like '%/branding/logos/%'
    union all select branding::text from pairing_links where branding::text like '%/branding/logos/%'
    union all select branding from embed_sessions where branding like '%/branding/logos/%'
  ), referred (key) as (
    select distinct named[1] from brands, regexp_matches(fields, '/branding/logos/([0-9a-z]{26}\\.[a-z]{3,4})', 'g') named
  )`

class SqlBrandingStore implements BrandingStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async read(tenantId: TenantId): Promise<Branding> {
    const [row] = await this.#database.query<{ fields: string }>('select fields from tenant_branding where tenant_id = $1', [tenantId])
    return brandingOf(row)
  }

  async change(tenantId: TenantId, fields: Partial<Branding>): Promise<Branding> {
    const [row] = await this.#database.query<{ fields: string }>(`insert into tenant_branding (tenant_id, fields, updated_at)
      values ($1, jsonb_strip_nulls($2::jsonb)::text, $3::timestamptz)
      on conflict (tenant_id) do update set fields = jsonb_strip_nulls(tenant_branding.fields::jsonb || $2::jsonb)::text, updated_at = excluded.updated_at
      returning fields`, [tenantId, JSON.stringify(fields), this.#ago(0)])
    return brandingOf(row)
  }

  async addLogo({ key, tenantId, mimeType, fileName, sizeBytes }: StoredLogo): Promise<void> {
    await this.#database.query(`insert into brand_logos (${LOGO}, created_at, referenced_at) values ($1, $2, $3, $4, $5::integer, $6::timestamptz, $6::timestamptz)`,
      [key, tenantId, mimeType, fileName, sizeBytes, this.#ago(0)])
  }

  async findLogo(key: string): Promise<StoredLogo | null> {
    const [row] = await this.#database.query<LogoRow>(`select ${LOGO} from brand_logos where key = $1`, [key])
    return row ? logoOf(row) : null
  }

  async takeUnreferencedLogos(limit: number): Promise<readonly StoredLogo[]> {
    await this.#database.query(`with ${REFERRED} update brand_logos set referenced_at = $1::timestamptz
      where referenced_at < $2::timestamptz and key in (select key from referred)`, [this.#ago(0), this.#ago(NOTED_EVERY_MS)])
    // Asked again in the statement that deletes: a logo may have been referred to since.
    const rows = await this.#database.query<LogoRow>(`with ${REFERRED} delete from brand_logos where key in (
        select key from brand_logos where referenced_at <= $1::timestamptz and key not in (select key from referred) order by referenced_at limit $2::integer
      ) returning ${LOGO}`, [this.#ago(LOGO_KEPT_MS), limit])
    return rows.map(logoOf)
  }

  #ago(ms: number): string {
    return new Date(this.#clock.now() - ms).toISOString()
  }
}

function brandingOf(row: { readonly fields: string } | undefined): Branding {
  return { ...DEFAULT_BRANDING, ...(row ? JSON.parse(row.fields) as Partial<Branding> : {}) }
}

function logoOf({ key, tenant_id: tenantId, mime_type: mimeType, file_name: fileName, size_bytes: sizeBytes }: LogoRow): StoredLogo {
  return { key, tenantId, mimeType, fileName, sizeBytes }
}

/** Brands of tenants and their logos, over an open database. */
export function openBranding(engine: Pick<Engine, 'database' | 'clock'>): { readonly branding: BrandingStore } {
  return { branding: new SqlBrandingStore(engine) }
}

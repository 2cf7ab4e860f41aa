import type { Acted } from '../http/acted.ts'
import type { Multipart } from '../http/multipart.ts'
import type { Opened } from '../leads/tokens.ts'
import type { OfficialPlatform } from '../platform/platform.ts'

/** Bytes that are no form and no JSON, as uploads are. */
export interface RawBody {
  readonly bytes: Buffer
  /** Of the authorization: `Bearer`, `OAuth`; empty without one. */
  readonly scheme: string
  /** Where in the file they belong; null when that was not said. */
  readonly offset: number | null
}

/** A request past the token. */
export interface GraphRequest {
  readonly method: string
  /** Behind the version. */
  readonly id: string
  /** What is asked of the object; empty for itself. */
  readonly edge: string
  /** Without its query. */
  readonly url: string
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  readonly form: Multipart | null
  /** Of requests on uploads alone. */
  readonly raw: RawBody | null
  /** Accounts of numbers that the token opens. */
  readonly accounts: ReadonlySet<string>
  /** All that it opens. */
  readonly opened: Opened
}

export interface Asked<T> extends GraphRequest {
  readonly platform: OfficialPlatform
  readonly on: T
}

/** A kind of object that requests name by id. */
export interface ObjectKind<T> {
  /** The object, when there is one that the token opens. */
  find(platform: OfficialPlatform, request: GraphRequest): T | null
  /** By method and edge, such as `POST settings`; the edge of the object itself is empty. */
  readonly edges: Readonly<Record<string, (asked: Asked<T>) => Acted | Promise<Acted>>>
}

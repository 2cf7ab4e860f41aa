import type { Acted } from '../http/acted.ts'
import type { Multipart } from '../http/multipart.ts'
import type { Opened } from '../leads/tokens.ts'
import type { OfficialPlatform } from '../platform/platform.ts'

/** Bytes that are neither form nor JSON, as uploads are. */
export interface RawBody {
  readonly bytes: Buffer
  /** Scheme of the authorization: `Bearer`, `OAuth`; empty without one. */
  readonly scheme: string
  /** Place of the bytes in the file; null when the request did not say. */
  readonly offset: number | null
}

/** A request whose token was checked. */
export interface GraphRequest {
  readonly method: string
  /** Id after the version. */
  readonly id: string
  /** Edge of the object; empty for the object itself. */
  readonly edge: string
  /** URL without its query. */
  readonly url: string
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  readonly form: Multipart | null
  /** Bytes of a request on an upload; null for others. */
  readonly raw: RawBody | null
  /** Accounts of numbers that the token opens. */
  readonly accounts: ReadonlySet<string>
  /** Everything that the token opens. */
  readonly opened: Opened
}

export interface Asked<T> extends GraphRequest {
  readonly platform: OfficialPlatform
  readonly on: T
}

/** A kind of object that requests name by id. */
export interface ObjectKind<T> {
  /** The object, or null when the token opens none of this id. */
  find(platform: OfficialPlatform, request: GraphRequest): T | null
  /** Handlers by method and edge, such as `POST settings`; the edge of the object itself is empty. */
  readonly edges: Readonly<Record<string, (asked: Asked<T>) => Acted | Promise<Acted>>>
}

import type { ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { Capability } from '../../domain/capabilities.ts'
import type { EmbedSurface } from '../../domain/embed-session.ts'
import type { RefusalCode } from '../../domain/errors.ts'
import type { Permission } from '../../domain/permissions.ts'
import type { IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import type { Access, Granted } from './access.ts'
import type { ReadyBytes } from './ready-bytes.ts'
import type { RouteGroup } from './route-groups.ts'

/** A body as it came, for routes that must not touch it. */
export interface RawBody {
  readonly bytes: Buffer
  /** Undefined when the header is absent. */
  readonly header: (name: string) => string | undefined
}

/**
 * What a handler reads: who calls, and input that passed the route's schemas. `raw` on routes with `rawBodyBytes`;
 * `claim` on routes that keep their first answer themselves, when the request carries an Idempotency-Key.
 */
export type RouteInput<A extends Access, P, Q, B> = Granted<A> & {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly raw: RawBody | null
  readonly claim: IdempotentRequest | null
  /** On routes with `takesFile`; gone with the request. */
  readonly sentFile: TakenFile | null
  readonly client: Client
  /** Does what takes long of a large body when it is the caller's turn (heavy-work.ts). */
  readonly inTurn: <T>(work: () => T) => Promise<T>
}

/** Whom a request came from. */
export interface Client {
  readonly address: string
  /** What limits by address count: the address, or its network. */
  readonly countedAddress: string
  /** Of this request, for logs. */
  readonly requestId: string
  /** What it says of itself, not to be trusted; null where it says nothing. */
  readonly userAgent: string | null
  /** Which of these languages it would rather have; null where it wants none of them. */
  readonly preferredLanguage: (offered: readonly string[]) => string | null
  /** The value of a cookie; null where there is none, or more than one. */
  readonly cookie: (name: string) => string | null
  /** Where it was cut as a reader of a stream, as it names it; '' for one that comes first. */
  readonly lastEventId: string
}

/** A file that came as a part of a multipart body. */
export interface TakenFile {
  /** A temporary file of this node. */
  readonly path: string
  /** As it was named, not to be trusted. */
  readonly name: string
  readonly sizeBytes: number
}

/** A file to be streamed; ranges and HEAD are seen to. */
export interface SentFile {
  /** On this node. */
  readonly path: string
  readonly fileName: string | null
  /** Never changes under its address: caches may keep it for good, of whoever asked. */
  readonly isImmutable?: boolean
}

/** JSON in pieces, each asked for when those before it went out; what cannot be had cuts the answer. */
export interface AnswerInPieces {
  readonly texts: AsyncIterable<string>
  /** What they come to, about: counted before the first is sent. */
  readonly bytes: number
}

/**
 * What a handler answers. `body` is made by a presenter; text needs a `type`, its bytes too, a file too, whose `body`
 * is null.
 */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly file?: SentFile
  /** HTML in place of `body` for those who would rather have that, such as browsers. */
  readonly page?: string
  /** What was made before, in place of `body`; needs a `type`. */
  readonly ready?: ReadyBytes
  /** Null takes away one that every answer has. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>
  /** Media type of a text body; JSON when absent. */
  readonly type?: string
  /** In place of `body`. */
  readonly pieces?: AnswerInPieces
  /** Takes the response over in place of a body, with status and headers set, and ends it some time; needs a `type`. */
  readonly stream?: (response: ServerResponse) => void
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The documented answer of a route: one success. */
export interface DocumentedAnswer {
  readonly status: 200 | 201 | 202
  readonly description: string
  readonly schema?: z.ZodType
  /** Shown in the document; passes the schema. */
  readonly example?: unknown
  /** Several, where answers differ by mode or kind of number, by what they show. */
  readonly examples?: Readonly<Record<string, unknown>>
  /** Media type of answers that are no JSON. */
  readonly type?: string
  /** Media types of an answer that is a file, of which ranges may be asked for. */
  readonly fileTypes?: readonly string[]
  /** Set where the same body also comes with 503, and when. */
  readonly unavailable?: string
}

interface RouteFacts {
  readonly method: Method
  /** OpenAPI form: `/v1/calls/{callId}`. */
  readonly path: string
  readonly name: string
  readonly group: RouteGroup
  readonly summary: string
  readonly description?: string
  readonly access: Access
  /**
   * What a grant or a session needs, else 403 PERMISSION_DENIED; absent: those that come to the account are refused
   * (contract 14).
   */
  readonly permission?: Permission
  /** The number's provider must have it, else 400 FEATURE_NOT_SUPPORTED. */
  readonly capability?: Capability
  /**
   * What its requests are counted with; absent: with all others of the key, or, of an open one, of the address.
   * `exchanges`, `logins`, `notices`: those alone that prove nothing, for the address. `pages`, `static`: for the
   * address.
   */
  readonly bucket?: 'sends' | 'files' | 'exchanges' | 'logins' | 'notices' | 'pages' | 'static'
  /**
   * Largest JSON body with the base64 media that may come in it, in bytes; without them, and when absent, 1 MB
   * (contract 2).
   */
  readonly bodyBytes?: number
  /** Largest JSON body that may hold long texts and no media, in bytes: it is held in memory. */
  readonly textBytes?: number
  /** Most JSON values of a body; 20,000 when absent (contract 2). */
  readonly bodyValues?: number
  /** The body is read up to this size and handed over as it came, whatever its type. */
  readonly rawBodyBytes?: number
  /** Honours `Idempotency-Key` (contract 2). */
  readonly isIdempotent?: boolean
  /** The handler stores its first answer itself, together with what it does, and replays it: see `claim`. */
  readonly keepsFirstAnswer?: boolean
  /** A key that this route replaced gets the first answer to its Idempotency-Key again, for REGENERATED_REPEAT_MS. */
  readonly answersReplacedKey?: boolean
  /** Code answered when this query field is missing or wrong (spec: Errors, calls parameters). */
  readonly queryCodes?: Readonly<Record<string, RefusalCode>>
  /** Of pages, of the dashboard, of the browser: no part of the document. */
  readonly isHidden?: boolean
  /**
   * The body is multipart with exactly one file, of this name and size at most; the handler finds it in `sentFile`.
   * With `texts` the parts of these names may stand beside it and are the body that is validated, and a JSON body
   * without a file is taken too. `withinMs`: how long it may take, UPLOAD_MS when absent.
   */
  readonly takesFile?: {
    readonly field: string
    readonly maxBytes: number
    readonly texts?: readonly string[]
    readonly withinMs?: number
  }
  /** Surfaces of embed sessions that it is for; any when absent. */
  readonly surface?: EmbedSurface
  readonly answer: DocumentedAnswer
  /** Refusals beyond those that follow from the other facts. */
  readonly refusals?: readonly RefusalCode[]
  /** A body that runs as it stands. */
  readonly bodyExample?: unknown
  /** Bodies of several modes, by what they show; the first runs as it stands. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>
  /** A query that runs as it stands, `$VARIABLES` aside. */
  readonly queryExample?: string
}

/** A route as the middlewares see it: facts, schemas, and a handler of validated input. */
export interface Route extends RouteFacts {
  readonly params: z.ZodObject | null
  readonly query: z.ZodObject | null
  readonly body: z.ZodType | null
  readonly answerTo: (input: RouteInput<Access, unknown, unknown, unknown>) => Promise<Answer>
}

interface RouteSpec<
  A extends Access,
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
> extends RouteFacts {
  readonly access: A
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly handle: (input: RouteInput<A, z.output<P>, z.output<Q>, z.output<B>>) => Promise<Answer>
}

/**
 * Declares a route. The cast is safe because `validated` runs exactly these
 * schemas, and `authenticated` to `number-known` establish what `access` grants.
 */
export function route<const A extends Access, P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  spec: RouteSpec<A, P, Q, B>,
): Route {
  const { handle, params, query, body, ...facts } = spec
  return {
    ...facts,
    params: params ?? null,
    query: query ?? null,
    body: body ?? null,
    answerTo: (input) => handle(input as unknown as Parameters<typeof handle>[0]),
  }
}

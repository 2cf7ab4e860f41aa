import type { ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { Capability } from '../../domain/capabilities.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { EmbedSurface } from '../../domain/embed-session.ts'
import type { RefusalCode } from '../../domain/errors.ts'
import type { Permission } from '../../domain/permissions.ts'
import type { PlacedFile } from '../../ports/file-place.ts'
import type { Trace } from '../../domain/trace.ts'
import type { IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import type { Access, Granted } from './access.ts'
import type { ReadyBytes } from './ready-bytes.ts'
import type { RouteGroup } from './route-groups.ts'

/** A body as it was sent, for routes that verify its bytes. */
export interface RawBody {
  readonly bytes: Buffer
  /** The value of a header, undefined when it is absent. */
  readonly header: (name: string) => string | undefined
}

/**
 * What a handler reads: its caller, and input that passed the route's schemas. `raw` is set on routes with
 * `rawBodyBytes`; `claim` on routes that keep their first answer themselves, when the request carries an
 * Idempotency-Key.
 */
export type RouteInput<A extends Access, P, Q, B> = Granted<A> & {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly raw: RawBody | null
  readonly claim: IdempotentRequest | null
  /** Set on routes with `takesFile`; the file is gone with the request. */
  readonly sentFile: TakenFile | null
  readonly client: Client
  /** Does the long work on a large body when it is the caller's turn (heavy-work.ts). */
  readonly inTurn: <T>(work: () => T) => Promise<T>
}

/** The client of a request. */
export interface Client {
  readonly address: string
  /** What limits by address count: the client's address, or its network. */
  readonly countedAddress: string
  /** Id of the request, for logs. */
  readonly requestId: string
  /** What the request is part of; null when nothing is recorded of it. */
  readonly trace: Trace | null
  /** The client's own `user-agent`, not to be trusted; null when it sent none. */
  readonly userAgent: string | null
  /** The language that the client prefers of those offered; null when it wants none of them. */
  readonly preferredLanguage: (offered: readonly string[]) => string | null
  /** The value of a cookie; null when there is none, or more than one. */
  readonly cookie: (name: string) => string | null
  /** The `last-event-id` of a reader that comes back to a stream; '' when it sends none. */
  readonly lastEventId: string
}

/** A file that came as a part of a multipart body. */
export interface TakenFile {
  /** A temporary file of this node. */
  readonly path: string
  /** The name that the sender gave it, not to be trusted. */
  readonly name: string
  readonly sizeBytes: number
}

/** A file to be streamed, with ranges and HEAD. */
export interface SentFile {
  /** Path on this node, or what finds it; null when the file is gone. */
  readonly path: string | (() => Promise<string | null>)
  /** Makes an address of another host to which the client is led instead; null when the file is sent from here. */
  readonly link?: PlacedFile['link']
  readonly fileName: string | null
  /** True when the file never changes under its address, so that any cache may keep it for good. */
  readonly isImmutable?: boolean
}

/** JSON in pieces; each is asked for once those before it were sent. A piece that cannot be made cuts the answer. */
export interface AnswerInPieces {
  readonly texts: AsyncIterable<string>
  /** About how many bytes all pieces have; it is counted before the first is sent. */
  readonly bytes: number
}

/**
 * What a handler answers. `body` is made by a presenter. A text, ready bytes and a file need a `type`; `body` is null
 * beside a file.
 */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly file?: SentFile
  /** HTML in place of `body` for clients that prefer it, such as browsers. */
  readonly page?: string
  /** Where clients that prefer HTML, such as browsers, are led in place of `body`: a path of this service. */
  readonly leadsTo?: string
  /** Bytes that were made before, in place of `body`; needs a `type`. */
  readonly ready?: ReadyBytes
  /** Headers of the answer; null removes one that every answer has. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>
  /** Media type of a text body; JSON when absent. */
  readonly type?: string
  /** JSON in pieces, in place of `body`. */
  readonly pieces?: AnswerInPieces
  /**
   * Takes the response over in place of `body`, once status and headers are set, and ends it some time; needs a `type`.
   */
  readonly stream?: (response: ServerResponse) => void
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The successful answer of a route, as documented. */
export interface DocumentedAnswer {
  readonly status: 200 | 201 | 202
  readonly description: string
  readonly schema?: z.ZodType
  /** Example in the document; it passes the schema. */
  readonly example?: unknown
  /** Several examples, where answers differ by mode or kind of number; each name says what it shows. */
  readonly examples?: Readonly<Record<string, unknown>>
  /** Media type of an answer that is not JSON. */
  readonly type?: string
  /** Media types of an answer that is a file. Ranges of it may be asked for. */
  readonly fileTypes?: readonly string[]
  /** Set when the same body also comes with 503; says in which case. */
  readonly unavailable?: string
}

interface RouteFacts {
  readonly method: Method
  /** The path in OpenAPI form: `/v1/calls/{callId}`. */
  readonly path: string
  readonly name: string
  readonly group: RouteGroup
  readonly summary: string
  readonly description?: string
  readonly access: Access
  /**
   * The permission that a grant or a session needs, else 403 PERMISSION_DENIED. Absent refuses them on routes of an
   * account ([people.permissions.10]).
   */
  readonly permission?: Permission
  /** The capability that the number's kind needs, else 400 FEATURE_NOT_SUPPORTED ([rest.errors.13]). */
  readonly capability?: Capability
  /** Asked where the kind lacks it: whether what the path names has it all the same. */
  readonly exception?: (number: NumberRef, params: Readonly<Record<string, string>>) => Promise<boolean>
  /**
   * The bucket that requests are counted in. Absent counts them with all others of the key, or, on an open route, of
   * the address. `exchanges`, `logins` and `notices` count only requests that prove nobody, for the address. `pages`
   * and `static` count for the address.
   */
  readonly bucket?: 'sends' | 'batches' | 'files' | 'exchanges' | 'logins' | 'notices' | 'pages' | 'static'
  /**
   * Largest JSON body with the base64 media that it may hold, in bytes. Without media, and when absent, 1 MB
   * ([rest.errors.7]).
   */
  readonly bodyBytes?: number
  /** Largest JSON body that may hold long texts and no media, in bytes. It is held in memory. */
  readonly textBytes?: number
  /** Most JSON values of a body; 20,000 when absent ([rest.bounds.1]). */
  readonly bodyValues?: number
  /** The body is read up to this size, in bytes, and handed over as it was sent, whatever its type. */
  readonly rawBodyBytes?: number
  /** Takes an `Idempotency-Key` ([rest.idempotency.1]). */
  readonly isIdempotent?: boolean
  /** The handler stores its first answer itself, together with its work, and repeats it: see `claim`. */
  readonly keepsFirstAnswer?: boolean
  /**
   * A key that this route replaced gets the first answer to its Idempotency-Key again, for REGENERATED_REPEAT_MS
   * ([rest.idempotency.6]).
   */
  readonly answersReplacedKey?: boolean
  /** Code answered when this query field is missing or wrong ([rest.errors.14]). */
  readonly queryCodes?: Readonly<Record<string, RefusalCode>>
  /** The document leaves the route out: it serves pages, the dashboard or the browser SDK. */
  readonly isHidden?: boolean
  /**
   * The body is multipart with exactly one file, with this field name and at most this size; the handler finds it in
   * `sentFile`. With `texts` the parts of these names may come too, and are the body that is validated; then a JSON
   * body without a file is also taken. `withinMs` is the longest time, UPLOAD_MS when absent.
   */
  readonly takesFile?: {
    readonly field: string
    readonly maxBytes: number
    readonly texts?: readonly string[]
    readonly withinMs?: number
  }
  /** The surface of embed sessions that may call it; any when absent. */
  readonly surface?: EmbedSurface
  /** Only embed sessions that may start conversations may call it, else 403 PERMISSION_DENIED ([embeds.starts.2]). */
  readonly isStart?: true
  readonly answer: DocumentedAnswer
  /** A second answer, with another status, where a body asks for something else. */
  readonly otherAnswer?: DocumentedAnswer
  /** Refusals beyond those that follow from the other facts. */
  readonly refusals?: readonly RefusalCode[]
  /** An example body that runs as it stands. */
  readonly bodyExample?: unknown
  /** Example bodies of several modes, by what they show; the first runs as it stands. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>
  /** An example query that runs as it stands, except for `$VARIABLES`. */
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
 * Declares a route. The cast is safe because `validated` runs exactly these schemas, and `authenticated` to
 * `number-known` establish what `access` grants.
 */
export function route<const A extends Access, P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  declared: RouteSpec<A, P, Q, B>,
): Route {
  const { handle, params, query, body, ...facts } = declared
  return {
    ...facts,
    params: params ?? null,
    query: query ?? null,
    body: body ?? null,
    answerTo: (input) => handle(input as unknown as Parameters<typeof handle>[0]),
  }
}

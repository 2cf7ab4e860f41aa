import { createDocument } from 'zod-openapi'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { REFUSALS } from '../../domain/errors.ts'
import type { RefusalCode } from '../../domain/errors.ts'
import { flowCodeOf } from '../../domain/flow-refusals.ts'
import {
  ANSWER_HEADERS,
  ERROR_SCHEMA,
  FLOW_ERROR_SCHEMA,
  IDEMPOTENCY_PARAMETER,
  NUMBER_PARAMETER,
  REQUEST_ID_PARAMETER,
} from './components.ts'
import { curlOf, namedExamples } from './example.ts'
import { describeNativeEvents } from './native-events.ts'
import { withoutOtherNames } from '../request/other-name.ts'
import { KEYS, securityOf, securitySchemes } from './security.ts'
import { describeEvents } from './webhooks.ts'
import { isOfTenant, opensTo } from '../request/access.ts'
import type { Access } from '../request/access.ts'
import { isOfFlows, shownCode } from '../request/refusal-body.ts'
import { ROUTE_GROUPS } from '../request/route-groups.ts'
import type { DocumentedAnswer, Route } from '../request/route.ts'

export type OpenApiDocument = ReturnType<typeof createDocument>

const ABOUT = `Gateway for voice calls and messages on chat-app numbers.

A **tenant key** connects and manages numbers; creating a number answers its **number key**, which calls, sends and reads. Either goes into the header \`x-api-key\`. Clients that a person let in send an access token as \`authorization: Bearer\`
and name the number they act for in \`x-channel-number-id\`.
**UNOFFICIAL** numbers are phones that scan a QR code, **OFFICIAL** ones are connected to the platform's cloud API; where they differ, the route says so.

Errors are \`{error, code?, details?}\`; branch on \`code\`. Checks run in this order: route, key, scope, number, provider feature, validation, state.
Every answer carries \`x-request-id\`. Unknown /v1 paths answer 404 \`ROUTE_NOT_FOUND\`, known paths with another method 405 with \`allow\`.

Guides with examples that run are at [docs/guides](docs/guides).`

/** Describes all routes but hidden ones as OpenAPI 3.1, from the same schemas that validate. */
export function describeApi(routes: readonly Route[], baseUrl: string): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes.filter(({ isHidden }) => !isHidden))
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route, baseUrl) }
  return withoutOtherNames(
    createDocument({
      openapi: '3.1.0',
      info: { title: 'Channel Messaging Service', version: '1.0.0', description: ABOUT },
      servers: [{ url: baseUrl }],
      tags: Object.entries(ROUTE_GROUPS).map(([name, description]) => ({ name, description })),
      security: KEYS,
      components: { securitySchemes: securitySchemes(baseUrl) },
      paths,
      webhooks: { ...describeEvents(), ...describeNativeEvents() },
    }),
  )
}

function operation(route: Route, baseUrl: string): ZodOpenApiOperationObject {
  const description = [route.description, SCOPES[route.access.of]].filter(Boolean).join(' ')
  return {
    operationId: route.name,
    tags: [route.group],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    ...securityOf(route),
    parameters: [
      REQUEST_ID_PARAMETER,
      ...(opensTo(route, 'key') ? [NUMBER_PARAMETER] : []),
      ...(route.isIdempotent ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    requestParams: { ...(route.params ? { path: route.params } : {}), ...(route.query ? { query: route.query } : {}) },
    ...(route.body ? { requestBody: requestBody(route) } : {}),
    responses: { ...success(route), ...failures(route) },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(route, baseUrl) }],
  }
}

const SCOPES: Readonly<Record<Access['of'], string>> = {
  service: '',
  link: 'No key: the secret in the path is the permission.',
  number: 'Key: the number’s.',
  tenant: 'Key: the tenant’s.',
  numbers: 'Key: the tenant’s.',
  pathNumber: 'Key: the tenant’s.',
  either: 'Key: any.',
  chosenNumber: 'Key: any.',
  namedNumber: 'Key: the number’s, or the tenant’s with `x-channel-number-id`.',
  // Among the routes that the document describes, only those of embeds have `of: 'caller'`.
  caller: 'The token of an embed session, as `authorization: Bearer`.',
}

function requestBody(route: Route): NonNullable<ZodOpenApiOperationObject['requestBody']> {
  const isRequired = route.body?.safeParse(undefined).success === false
  return {
    required: isRequired,
    content: { 'application/json': { schema: route.body ?? {}, ...examplesOf(route.bodyExample, route.bodyExamples) } },
  }
}

/** The examples of a body or an answer: one, or several by name. */
function examplesOf(one: unknown, several: Readonly<Record<string, unknown>> | undefined) {
  if (several) return { examples: namedExamples(several) }
  return one === undefined ? {} : { example: one }
}

function success(route: Route): ZodOpenApiResponsesObject {
  return { ...answered(route, route.answer), ...(route.otherAnswer ? answered(route, route.otherAnswer) : {}) }
}

function answered(route: Route, answer: DocumentedAnswer): ZodOpenApiResponsesObject {
  const { status, description, schema, type, fileTypes, example, examples, unavailable } = answer
  const headers = {
    ...ANSWER_HEADERS.always,
    ...(route.bucket === 'notices' ? {} : ANSWER_HEADERS.limited),
    ...(route.isIdempotent ? ANSWER_HEADERS.idempotent : {}),
  }
  if (fileTypes) return fileAnswers(description, fileTypes, headers)
  const content = type
    ? { [type]: { schema: { type: 'string' as const } } }
    : { 'application/json': { schema: schema ?? {}, ...examplesOf(example, examples) } }
  return {
    [`${status}`]: { description, headers, content },
    ...(unavailable === undefined ? {} : { 503: { description: unavailable, headers, content } }),
  }
}

/** The responses of a file: whole, or the range asked for. Its schema says only that it is bytes. */
function fileAnswers(
  description: string,
  types: readonly string[],
  headers: Readonly<Record<string, object>>,
): ZodOpenApiResponsesObject {
  const content = Object.fromEntries(
    types.map((type) => [type, { schema: { type: 'string' as const, format: 'binary' } }]),
  )
  return {
    200: { description, headers: { ...headers, ...ANSWER_HEADERS.file }, content },
    206: {
      description: 'The range asked for in `range`',
      headers: { ...headers, ...ANSWER_HEADERS.file, ...ANSWER_HEADERS.range },
      content,
    },
  }
}

/** The failed responses of a route: one for each status, naming its codes. */
function failures(route: Route): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of refusalsOf(route)) {
    const { status } = REFUSALS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const answers = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, codes]) => [`${status}`, failure(route, codes)] as const)
  return Object.fromEntries(answers)
}

function failure(route: Route, codes: readonly RefusalCode[]) {
  const shown = [...new Set(codes.map((code) => shownCode(code)))]
  const named = shown.map((code) => (code === null ? 'without a code' : `\`${code}\``)).join(', ')
  const hasRetry = codes.some((code) => REFUSALS[code].status === 429 || REFUSALS[code].status === 503)
  const code = shown.find((code) => code !== null)
  return {
    description: `Refused: ${named}`,
    headers: { ...ANSWER_HEADERS.always, ...(hasRetry ? ANSWER_HEADERS.retry : {}) },
    content: {
      'application/json': { ...errorForm(route), example: { ...errorForm(route).example, ...(code ? { code } : {}) } },
    },
  }
}

/** The form of a route's errors: those of Flows speak two languages ([flows.scope.2]). */
function errorForm({ path }: Route) {
  return isOfFlows(path)
    ? {
        schema: FLOW_ERROR_SCHEMA,
        example: { error: 'O que deu errado, em uma frase', errorEN: 'What went wrong, in a sentence' },
      }
    : { schema: ERROR_SCHEMA, example: { error: 'What went wrong, in a sentence' } }
}

/** The refusals that a route declares, and those that follow from its access, body and bucket. */
function refusalsOf(route: Route): Set<RefusalCode> {
  const codes = new Set<RefusalCode>(route.refusals)
  const { of } = route.access
  const add = (isReachable: boolean, ...more: RefusalCode[]): void => {
    if (isReachable) for (const code of more) codes.add(code)
  }
  add(opensTo(route, 'key'), 'UNAUTHENTICATED', 'NUMBER_NOT_FOUND')
  add(opensTo(route, 'embed'), 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'TOKEN_REVOKED', 'ORIGIN_NOT_ALLOWED')
  add(opensTo(route, 'embed') && route.surface !== undefined, 'SURFACE_NOT_ALLOWED')
  add(of !== 'service', 'VALIDATION')
  add(route.permission !== undefined || route.isStart === true, 'PERMISSION_DENIED')
  add(of === 'number' || of === 'namedNumber', 'TENANT_SCOPE_NOT_ALLOWED')
  add(isOfTenant(route.access), 'NUMBER_SCOPE_NOT_ALLOWED')
  add(opensTo(route, 'key') && !isOfTenant(route.access), 'NUMBER_REQUIRED')
  add(of === 'chosenNumber', 'NUMBER_MISMATCH')
  add(route.capability !== undefined, 'FEATURE_NOT_SUPPORTED')
  add(route.method !== 'get', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'BUSY')
  add(route.isIdempotent === true, 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS')
  add(route.queryCodes !== undefined, ...Object.values(route.queryCodes ?? {}))
  add(isOfFlows(route.path), 'FLOW_NUMBER_FROM_KEY')
  add(route.group !== 'Operations', 'UNAVAILABLE')
  add(true, 'RATE_LIMITED', 'INTERNAL')
  return isOfFlows(route.path) ? new Set([...codes].map(flowCodeOf)) : codes
}

import { createDocument } from 'zod-openapi'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { REFUSALS } from '../domain/errors.ts'
import type { RefusalCode } from '../domain/errors.ts'
import { ANSWER_HEADERS, COMPONENTS, ERROR_SCHEMA, IDEMPOTENCY_PARAMETER, NUMBER_PARAMETER, REQUEST_ID_PARAMETER } from './openapi-components.ts'
import { curlOf } from './openapi-example.ts'
import { describeEvents, EVENT_GROUP } from './openapi-webhooks.ts'
import { shownCode } from './refusal-body.ts'
import type { Route } from './route.ts'

export type OpenApiDocument = ReturnType<typeof createDocument>

const ABOUT = `Gateway for voice calls and messages on chat-app numbers.

Errors are \`{error, code?, details?}\`; branch on \`code\`. Checks run in this order: route, key, scope, number, provider feature, validation, state.
Every answer carries \`x-request-id\`. Unknown /v1 paths answer 404 \`ROUTE_NOT_FOUND\`, known paths with another method 405 with \`allow\`.`

/** Describes the routes as OpenAPI 3.1, from the same schemas that validate. */
export function describeApi(routes: readonly Route[], baseUrl: string): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operation(route, baseUrl) }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Channel Messaging Service', version: '1.0.0', description: ABOUT },
    servers: [{ url: baseUrl }],
    tags: [...new Set(routes.map(({ group }) => group)), EVENT_GROUP].map((name) => ({ name })),
    security: [{ apiKey: [] }, { apiKeyId: [] }],
    components: COMPONENTS,
    paths,
    webhooks: describeEvents(),
  })
}

function isKeyed(route: Route): boolean {
  return route.access !== 'open' && route.access !== 'link'
}

function operation(route: Route, baseUrl: string): ZodOpenApiOperationObject {
  const description = [route.description, SCOPES[route.access]].filter(Boolean).join(' ')
  return {
    operationId: route.name,
    tags: [route.group],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    ...(isKeyed(route) ? {} : { security: [] }),
    parameters: [
      REQUEST_ID_PARAMETER,
      ...(isKeyed(route) ? [NUMBER_PARAMETER] : []),
      ...(route.isIdempotent ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    requestParams: { ...(route.params ? { path: route.params } : {}), ...(route.query ? { query: route.query } : {}) },
    ...(route.body ? { requestBody: requestBody(route) } : {}),
    responses: { ...success(route), ...failures(route) },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(route, baseUrl) }],
  }
}

const SCOPES: Readonly<Record<Route['access'], string>> = {
  open: '',
  link: 'No key: the secret in the path is the permission.',
  number: 'Key: the number’s.',
  tenant: 'Key: the tenant’s.',
  tenantNumber: 'Key: the tenant’s.',
  either: 'Key: any.',
  eitherNumber: 'Key: any.',
}

function requestBody(route: Route): NonNullable<ZodOpenApiOperationObject['requestBody']> {
  const isRequired = route.body?.safeParse(undefined).success === false
  const content = { schema: route.body ?? {}, ...(route.bodyExample === undefined ? {} : { example: route.bodyExample }) }
  return { required: isRequired, content: { 'application/json': content } }
}

function success(route: Route): ZodOpenApiResponsesObject {
  const { status, description, schema, type } = route.answer
  const headers = {
    ...ANSWER_HEADERS.always,
    ...(route.access === 'open' ? {} : ANSWER_HEADERS.limited),
    ...(route.isIdempotent ? ANSWER_HEADERS.idempotent : {}),
  }
  const content = type ? { [type]: { schema: { type: 'string' as const } } } : { 'application/json': { schema: schema ?? {} } }
  return {
    [`${status}`]: { description, headers, content },
    ...(route.answer.unavailable === undefined ? {} : { 503: { description: route.answer.unavailable, headers, content } }),
  }
}

/** One response a status, naming the codes that come with it. */
function failures(route: Route): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of refusalsOf(route)) {
    const { status } = REFUSALS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const answers = [...byStatus].toSorted(([a], [b]) => a - b).map(([status, codes]) => [`${status}`, failure(codes)] as const)
  return Object.fromEntries(answers)
}

function failure(codes: readonly RefusalCode[]) {
  const shown = [...new Set(codes.map((code) => shownCode(code)))]
  const named = shown.map((code) => (code === null ? 'without a code' : `\`${code}\``)).join(', ')
  const hasRetry = codes.some((code) => REFUSALS[code].status === 429 || REFUSALS[code].status === 503)
  const code = shown.find((code) => code !== null)
  return {
    description: `Refused: ${named}`,
    headers: { ...ANSWER_HEADERS.always, ...(hasRetry ? ANSWER_HEADERS.retry : {}) },
    content: { 'application/json': { schema: ERROR_SCHEMA, example: { error: 'What went wrong, in a sentence', ...(code ? { code } : {}) } } },
  }
}

/** Declared refusals, and those that follow from what the route is. */
function refusalsOf(route: Route): Set<RefusalCode> {
  const codes = new Set<RefusalCode>(route.refusals)
  const add = (isReachable: boolean, ...more: RefusalCode[]): void => {
    if (isReachable) for (const code of more) codes.add(code)
  }
  add(isKeyed(route), 'UNAUTHENTICATED', 'NUMBER_NOT_FOUND')
  add(route.access !== 'open', 'RATE_LIMITED', 'VALIDATION')
  add(route.access === 'number', 'TENANT_SCOPE_NOT_ALLOWED')
  add(route.access === 'tenant' || route.access === 'tenantNumber', 'NUMBER_SCOPE_NOT_ALLOWED')
  add(route.access === 'eitherNumber', 'NUMBER_REQUIRED', 'NUMBER_MISMATCH')
  add(route.capability !== undefined || route.provider !== undefined, 'FEATURE_NOT_SUPPORTED')
  add(route.method !== 'get', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  add(route.isIdempotent === true, 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS')
  add(route.queryCodes !== undefined, ...Object.values(route.queryCodes ?? {}))
  codes.add('INTERNAL')
  return codes
}

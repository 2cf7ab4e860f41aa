import { opensTo } from '../request/access.ts'
import type { Route } from '../request/route.ts'

/** The example body of a route, which runs as it stands; undefined when the route has none. */
export function bodyOf(route: Route): unknown {
  return route.bodyExample ?? Object.values(route.bodyExamples ?? {})[0]
}

/** Named examples as a document holds them. Readers choose by the name, so the summary repeats it whole. */
export function namedExamples(examples: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(examples).map(([summary, value]) => [summary, { summary, value }]))
}

/** A curl command that runs as it stands once `$KEY` and the variables of the path are set. */
export function curlOf(route: Route, baseUrl: string): string {
  const path = route.path.replaceAll(/(\w+?)s\/\{id\}|\{(\w+)\}/g, (_, owner: string | undefined, name: string = '') =>
    owner ? `${owner}s/$${owner.toUpperCase()}_ID` : `$${VARIABLES[name] ?? name.toUpperCase()}`,
  )
  const query = route.queryExample ? `?${route.queryExample}` : ''
  const isKeyed = opensTo(route, 'key')
  const body = bodyOf(route)
  return [
    `curl -sS -X ${route.method.toUpperCase()} "${baseUrl}${path}${query}"`,
    ...(isKeyed ? ['-H "x-api-key: $KEY"'] : []),
    ...(opensTo(route, 'embed') ? ['-H "authorization: Bearer $EMBED_TOKEN"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ')
}

const VARIABLES: Readonly<Record<string, string>> = {
  callId: 'CALL_ID',
  logId: 'LOG_ID',
  token: 'TOKEN',
  mediaId: 'MEDIA_ID',
  fileId: 'FILE_ID',
  fileName: 'FILE_NAME',
  pageId: 'PAGE_ID',
  formId: 'FORM_ID',
  appId: 'APP_ID',
}

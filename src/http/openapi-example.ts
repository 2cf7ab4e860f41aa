import type { Route } from './route.ts'

/** A command that runs as it stands once the two variables are set: `$KEY`, and what the path names. */
export function curlOf(route: Route, baseUrl: string): string {
  const path = route.path.replaceAll(/(\w+?)s\/\{id\}|\{(\w+)\}/g, (_, owner: string | undefined, name: string = '') => (
    owner ? `${owner}s/$${owner.toUpperCase()}_ID` : `$${VARIABLES[name] ?? name.toUpperCase()}`
  ))
  const query = route.queryExample ? `?${route.queryExample}` : ''
  const isKeyed = route.access !== 'open' && route.access !== 'link'
  return [
    `curl -sS -X ${route.method.toUpperCase()} "${baseUrl}${path}${query}"`,
    ...(isKeyed ? ['-H "x-api-key: $KEY"'] : []),
    ...(route.bodyExample === undefined ? [] : ["-H 'content-type: application/json'", `-d '${JSON.stringify(route.bodyExample).replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ')
}

const VARIABLES: Readonly<Record<string, string>> = { callId: 'CALL_ID', logId: 'LOG_ID', token: 'TOKEN', mediaId: 'MEDIA_ID', fileId: 'FILE_ID', fileName: 'FILE_NAME' }

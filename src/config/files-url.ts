/** True for `s3://bucket/prefix?endpoint=...&region=...`. */
export function isFilesUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, searchParams, username, hash } = new URL(text)
  const endpoint = searchParams.get('endpoint')
  return (
    protocol === 's3:'
    && /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname)
    && username === ''
    && hash === ''
    && [...searchParams.keys()].every((name) => name === 'endpoint' || name === 'region')
    && (endpoint === null || (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)))
  )
}

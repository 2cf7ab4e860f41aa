/**
 * Gives the page a token for the inbox of the number. The key of the number stays on this server. It is a route and no
 * server action: the name of an action changes with a build, and pages stay open longer than that.
 */
const { BASE = 'http://localhost:3000', KEY = '' } = process.env

export async function POST({ headers }: Request): Promise<Response> {
  // Pages of others that are open in this browser can send requests here too.
  const origin = headers.get('origin')
  if (origin === null || URL.parse(origin)?.host !== headers.get('host')) return new Response(null, { status: 403 })
  // Whoever has the token reads and answers what people write to the number: in a product of yours, look here who asks.
  const answer = await fetch(`${BASE}/v1/embed/sessions`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ surface: 'chat', allowedOrigins: [origin] }),
  })
  if (!answer.ok) {
    console.error(`The session was answered ${answer.status}: ${await answer.text()}`)
    return new Response(null, { status: 502 })
  }
  const { token } = (await answer.json()) as { token: string }
  return new Response(token, { headers: { 'cache-control': 'no-store' } })
}

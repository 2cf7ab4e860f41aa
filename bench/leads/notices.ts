import pg from 'pg'
import { post, signedPost, type Target } from '../posts.ts'
import { median, startServer, stopServer, type Installation } from '../programs.ts'
import { controlUrl, newLeadgenId, type BenchPage } from './page.ts'

const TURNS = 3
const CONNECTIONS = 32

/** A notice that was never sent before. */
function noticeTarget({ pageId, formId, appSecret, webhookUrl }: BenchPage): Target {
  return {
    url: webhookUrl,
    next() {
      const value = {
        leadgen_id: newLeadgenId(),
        page_id: pageId,
        form_id: formId,
        created_time: Math.floor(Date.now() / 1_000),
      }
      return signedPost(appSecret, {
        object: 'page',
        entry: [{ id: pageId, time: value.created_time, changes: [{ field: 'leadgen', value }] }],
      })
    },
  }
}

/** Posts as fast as possible over CONNECTIONS connections; resolves to posts per second. */
async function turn(
  { url, next }: Target,
  seconds: number,
): Promise<{ readonly perSecond: number; readonly done: number }> {
  const untilMs = performance.now() + seconds * 1_000
  let done = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < untilMs) {
        const { body, headers } = next()
        await post(url, body, headers)
        done++
      }
    }),
  )
  return { perSecond: done / seconds, done }
}

/** Revokes the token of the Page, so that its notices wait: only taking them is measured, not fetching leads. */
async function park(installation: Installation, page: BenchPage): Promise<void> {
  await fetch(controlUrl(installation, `/official/pages/${page.pageId}`), {
    method: 'PATCH',
    body: JSON.stringify({ isTokenExpired: true }),
  })
  const { url, next } = noticeTarget(page)
  const { body, headers } = next()
  await post(url, body, headers)
  const isParked = async (): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${installation.gateway.port}/v1/lead-pages/${page.pageId}`, {
      headers: { 'x-api-key': installation.tenantKey },
    })
    return ((await answer.json()) as { isTokenValid: boolean }).isTokenValid === false
  }
  while (!(await isParked()))
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
}

async function storedOf({ databaseUrl }: Installation, { pageId }: BenchPage): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  const {
    rows: [row],
  } = await client
    .query('select count(*)::integer as stored from lead_notices where page_id = $1', [pageId])
    .finally(() => client.end())
  return row.stored
}

/**
 * Compares notices taken by the gateway (signature, dedupe, stored) with a bare Koa route with one bare insert on the
 * same database, in turns.
 */
export async function compareNotices(installation: Installation, page: BenchPage, seconds: number): Promise<void> {
  const bare = await startServer('inbound/bare.ts', { BARE_DATABASE_URL: installation.databaseUrl ?? '' })
  try {
    await park(installation, page)
    const ours = noticeTarget(page)
    const theirs: Target = { url: `http://127.0.0.1:${bare.port}/`, next: () => ({ ...ours.next(), headers: {} }) }
    await turn(theirs, seconds)
    const warm = await turn(ours, seconds)
    // The first notice, which found the token revoked, is stored too.
    let taken = 1 + warm.done
    const rates: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] }
    for (let i = 0; i < TURNS; i++) {
      rates.theirs.push((await turn(theirs, seconds)).perSecond)
      const { perSecond, done } = await turn(ours, seconds)
      rates.ours.push(perSecond)
      taken += done
    }
    const stored = await storedOf(installation, page)
    if (stored !== taken) throw new Error(`${stored} of ${taken} notices are stored`)
    console.log(
      `notices taken: ${median(rates.ours).toFixed(0)}/s; bare insert ${median(rates.theirs).toFixed(0)}/s: ${(median(rates.ours) / median(rates.theirs)).toFixed(2)} (target 0.50)`,
    )
  } finally {
    await stopServer(bare)
  }
}

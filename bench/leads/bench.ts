/**
 * Measures leads and referrals: notices taken against a bare Koa route with one bare insert, in turns in the same run;
 * the time from a submitted form to the tenant's endpoint; pages of a million leads and the summary of a million
 * referrals, over the real gateway. Needs PostgreSQL (bench/programs.ts).
 *
 *   node bench/leads/bench.ts [share of the sizes, 1]
 */
import { randomBytes } from 'node:crypto'
import { closePosts } from '../posts.ts'
import { install } from '../programs.ts'
import { measureDelivery } from './delivery.ts'
import { compareNotices } from './notices.ts'
import { linkPages } from './page.ts'
import { measureReads } from './reads.ts'

const SHARE = Number(process.argv[2] ?? 1)
const of = (size: number): number => Math.ceil(size * SHARE)

const installation = await install('postgres', {
  LOG_LEVEL: 'error',
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
})
try {
  await measureDelivery(installation, await linkPages(installation, '5511977780001', 5), of(20))
  // The hundredth day must have leads of each ad.
  await measureReads(installation, Math.max(200_000, of(1_000_000)), of(1_000))
  const [page] = await linkPages(installation, '5511977780003', 1)
  if (page) await compareNotices(installation, page, of(5))
} finally {
  closePosts()
  await installation.close()
}

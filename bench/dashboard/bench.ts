/**
 * Measures the dashboard on PostgreSQL (bench/programs.ts) and in Chromium (CHROMIUM_PATH): what the audio thread of
 * the softphone computes for each frame; how much later a voice comes through the softphone than through the realtime
 * socket alone; the longest task while a log of 10,000 rows is scrolled; how long events take to sessions, and how much
 * open sessions slow sends.
 *
 *   node bench/dashboard/bench.ts [words] [sessions] [events a second] [seconds]
 *   node bench/dashboard/bench.ts 15 0          the softphone alone
 *   node bench/dashboard/bench.ts 0 100         log and sessions alone
 */
import { install } from '../programs.ts'
import { measureStreams } from '../pages/streams.ts'
import { openStage } from './stage.ts'
import { measureLog } from './log.ts'
import { dashboardStreams } from './sessions.ts'
import { measureSoftphone } from './softphone.ts'
import { measureWorklets } from './worklets.ts'

const [WORDS = 15, SESSIONS = 100, PER_SECOND = 200, SECONDS = 8] = process.argv.slice(2).map(Number)

const installation = await install('postgres', { LOG_LEVEL: 'error' })
const stage = await openStage(installation)
try {
  if (WORDS > 0) {
    await measureWorklets(stage)
    await measureSoftphone(stage, WORDS)
  }
  if (SESSIONS > 0) await measureLog(stage)
} finally {
  await stage.close()
  await installation.close()
}
if (SESSIONS > 0) await measureStreams({ streams: SESSIONS, perSecond: PER_SECOND, seconds: SECONDS }, dashboardStreams)

/**
 * Measures what a caller hears of a bot that a number is answered by ([voice.number-setting.2]): the time from the ring
 * to the bot's first sound, less what the bot itself took; and the way of a word through the media host, from the
 * caller's packet to the bot, and from an echo bot's frame back to the caller.
 *
 *   node bench/voice/bench.ts [calls] [words]
 */
import { install } from '../programs.ts'
import { measureEcho } from './echo.ts'
import { measureFirstWords } from './first-words.ts'

const [CALLS = 30, WORDS = 60] = process.argv.slice(2).map(Number)

const installation = await install('postgres', { LOG_LEVEL: 'error' })
try {
  await measureFirstWords(installation, CALLS)
} finally {
  await installation.close()
}
await measureEcho(WORDS)

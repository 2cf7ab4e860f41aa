import test from 'ava'
import { conversation } from '../../../bench/media/conversation.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { rmsOf } from '../../helpers/audio-signal.ts'

/** A quarter of the level of speech is more than a room has. */
const LOUD = 100

test('a person and a bot speak in turns, about as long each, and with pauses', async (t) => {
  const { phone, phoneSamples, bot } = conversation(await loadOpus(), 20)
  t.is(phone.length, bot.length)
  const byPhone = phoneSamples.filter((samples) => rmsOf(samples) > LOUD).length / bot.length
  const byBot = bot.filter((samples) => samples !== null).length / bot.length
  t.true(byPhone > 0.25 && byPhone < 0.5, `${byPhone}`)
  t.true(byBot > 0.25 && byBot < 0.5, `${byBot}`)
  t.false(bot.some((samples, slot) => samples !== null && rmsOf(phoneSamples[slot] ?? samples) > LOUD))
  t.true(phone.every((packet) => packet.length > 0))
})

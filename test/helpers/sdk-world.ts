import type { TestFn } from 'ava'
import type { Browser } from 'playwright-core'
import { sharedBrowser, usesBrowser } from './browser.ts'
import { serveScriptedEmbed } from './scripted-embed.ts'
import type { ScriptedEmbed } from './scripted-embed.ts'

/** The world of a test file; it is set before the tests and ended after them. */
export interface SdkWorld {
  readonly world: ScriptedEmbed
  readonly browser: Browser
}

/**
 * A scripted service for all tests of a file, whose script is reset before each, with the browser of their thread.
 * `mayFrame` names the origins that may frame; null leaves them unset.
 */
export function sdkWorld(test: TestFn, mayFrame: (world: ScriptedEmbed) => readonly string[] | null): SdkWorld {
  const opened = {} as { world?: ScriptedEmbed }
  const browser = sharedBrowser(test)
  const ends: (() => unknown)[] = []
  test.before(async () => {
    if (!usesBrowser) return
    opened.world = await serveScriptedEmbed({ teardown: (end: () => unknown) => void ends.push(end) })
  })
  test.after.always(async () => {
    for (const end of ends) await end()
  })
  test.beforeEach(() => {
    const { world } = opened
    if (world)
      Object.assign(world.script, {
        allowedOrigins: mayFrame(world),
        isMute: false,
        namedOrigins: null,
        diagnose: () => ({ ok: true, reason: null, hint: '' }),
      })
  })
  return {
    get world() {
      if (!opened.world) throw new Error('the world of the tests is not open')
      return opened.world
    },
    get browser() {
      return browser()
    },
  }
}

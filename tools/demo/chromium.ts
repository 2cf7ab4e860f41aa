/** Where this machine has a browser. */
import { existsSync } from 'node:fs'

/** Paths where packages install Chromium or Chrome. */
const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser that CHROMIUM_PATH names, else an installed one; empty when there is none. */
export function chromiumPath(): string {
  return process.env['CHROMIUM_PATH'] || USUAL.find((path) => existsSync(path)) || ''
}

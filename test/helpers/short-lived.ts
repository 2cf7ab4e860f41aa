/**
 * V8 flags for a process that lives for one story. The embedded database is compiled fast instead of well, and garbage
 * is collected without helper threads. A start of the service costs a quarter less CPU, a test of the embedded database
 * a third (measured). JavaScript is still optimised, because audio and hostile bodies take four times as long without;
 * it happens a little later than by default (after 3,000 calls), because in runs of a few seconds the optimisation pays
 * off only then (measured over stories, audio and bodies: 7 % less CPU). The young generation has 16 MB from the start:
 * what a start loads stays alive, and was copied again and again while V8 let that space grow (measured: loading the
 * gateway costs 0.15 s of CPU less).
 */
export const SHORT_LIVED = [
  '--liftoff-only',
  '--single-threaded-gc',
  '--invocation-count-for-turbofan=10000',
  '--min-semi-space-size=16',
]

/** Node arguments for a program under test. */
export const NODE_ARGUMENTS = [
  '--disable-warning=ExperimentalWarning',
  `--import=${new URL('./stripped-types.js', import.meta.url).href}`,
  ...SHORT_LIVED,
]

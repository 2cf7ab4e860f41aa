/**
 * What V8 is told where a process lives for one story: the embedded database is compiled fast instead of well, and
 * memory is collected without threads that look for work. A start of the service costs a quarter less CPU, a test of
 * the embedded database a third (measured). JavaScript is optimised, since audio and hostile bodies take four times as
 * long without, but a little later than V8 would by itself (3,000 calls): what runs for seconds gives the work of its
 * optimisation back only then (measured over stories, audio and bodies: 7 % less CPU). Young objects have 16 MB from
 * the beginning: what a start loads lives on, and was copied again and again while V8 let their room grow (measured:
 * loading the gateway costs 0.15 s of CPU less).
 */
export const SHORT_LIVED = [
  '--liftoff-only',
  '--single-threaded-gc',
  '--invocation-count-for-turbofan=10000',
  '--min-semi-space-size=16',
]

/** Arguments of Node for a program under test. */
export const NODE_ARGUMENTS = [
  '--disable-warning=ExperimentalWarning',
  `--import=${new URL('./stripped-types.js', import.meta.url).href}`,
  ...SHORT_LIVED,
]

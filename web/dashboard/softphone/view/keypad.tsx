import { useEffect } from 'preact/hooks'

/** The digits of RFC 4733, 3.2 that phones have keys for, as they lie on a phone. */
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']

interface KeypadProps {
  readonly label: string
  readonly nameOf: (digit: string) => string
  press(digit: string): void
}

/** The keys of a phone; the keyboard presses them too, wherever nothing is typed. */
export function Keypad({ label, nameOf, press }: KeypadProps) {
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (DIGITS.includes(event.key)) press(event.key)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [press])
  return (
    <div class="keypad" role="group" aria-label={label}>
      {DIGITS.map((digit) => (
        <button
          key={digit}
          type="button"
          class="button quiet"
          data-action="key"
          data-key={digit}
          aria-label={nameOf(digit)}
          onClick={() => press(digit)}
        >
          {digit}
        </button>
      ))}
    </div>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select, dialog') !== null
  )
}

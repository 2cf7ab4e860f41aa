import test from 'ava'
import { typed } from '../../web/ui/typed.ts'

test('a field holds as many characters as the service takes, an emoji counted once and never cut in two', (t) => {
  const fits = { value: '😀'.repeat(5) }
  t.is(typed(fits, 5), '😀'.repeat(5))
  const over = { value: `${'😀'.repeat(5)}x` }
  t.is(typed(over, 5), '😀'.repeat(5))
  t.is(over.value, '😀'.repeat(5), 'what does not fit is taken out of the field')
  t.is(typed({ value: 'abc' }, 2), 'ab')
})

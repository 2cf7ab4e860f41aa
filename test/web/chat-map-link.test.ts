import test from 'ava'
import { degreesIn, placeIn } from '../../web/chat/model/map-link.ts'

// [inbox.features.17]
test('a place is read of map links and of two numbers: the place itself before the middle of the view', (t) => {
  const place = { latitude: -23.5505, longitude: -46.6333 }
  for (const text of [
    'https://www.google.com/maps/place/Se/@-23.1,-46.1,17z/data=!4m6!3m5!8m2!3d-23.5505!4d-46.6333',
    'https://www.google.com/maps/@-23.5505,-46.6333,15z',
    'https://maps.google.com/?q=-23.5505,-46.6333',
    'https://www.google.com/maps/search/?api=1&query=-23.5505%2C-46.6333',
    'https://maps.apple.com/?ll=-23.5505,-46.6333&z=10',
    'https://www.openstreetmap.org/?mlat=-23.5505&mlon=-46.6333#map=12/-23.1/-46.1',
    'https://www.openstreetmap.org/#map=12/-23.5505/-46.6333',
    'geo:-23.5505,-46.6333?z=10',
    ' -23.5505, -46.6333 ',
    '-23.5505 -46.6333',
  ])
    t.deepEqual(placeIn(text), place, text)
  for (const text of ['', 'https://maps.app.goo.gl/abc', 'Rua Augusta 100, 20', '91, 10', '10, 181', 'a -1, 2'])
    t.is(placeIn(text), null, text)
})

// [inbox.features.17]
test('degrees are read with a dot or a comma, and none beyond the poles or the date line', (t) => {
  t.deepEqual(
    ['-23.5', '-23,5', '\u221223.5', ' 90 ', '90.1', '', 'x', '1e1', '2.'].map((text) => degreesIn(text, 90)),
    [-23.5, -23.5, -23.5, 90, null, null, null, null, null],
  )
})

import { useLayoutEffect, useState } from 'preact/hooks'
import { degreesIn, placeIn } from '../../model/map-link.ts'
import { FormField } from './form-field.tsx'
import type { FieldsProps } from './form-field.tsx'

/** Characters of the name of a place ([message-verbs.modes.1]). */
const NAME_LENGTH = 255

/** A place by its degrees; a pasted map link fills them in. */
export function PlaceFields({ said, isTried, onDraft }: FieldsProps) {
  const [link, setLink] = useState('')
  const [[typedLatitude, typedLongitude], setDegrees] = useState<readonly [string, string]>(['', ''])
  const [name, setName] = useState('')
  const [latitude, longitude] = [degreesIn(typedLatitude, 90), degreesIn(typedLongitude, 180)]
  useLayoutEffect(() => {
    const words = name.trim().slice(0, NAME_LENGTH)
    const isWhole = latitude !== null && longitude !== null
    onDraft(
      isWhole
        ? { kind: 'location', location: { latitude, longitude, ...(words === '' ? {} : { name: words }) } }
        : null,
    )
  }, [latitude, longitude, name])

  function paste(text: string): void {
    setLink(text)
    const place = placeIn(text)
    if (place) setDegrees([String(place.latitude), String(place.longitude)])
  }

  const isWrong = (typed: string, read: number | null) => read === null && (isTried || typed.trim().length > 3)
  return (
    <>
      <FormField name="link" label={said.link} hint={said.linkHint} value={link} inputMode="url" onInput={paste} />
      <div class="field-pair">
        <FormField
          name="latitude"
          label={said.latitude}
          value={typedLatitude}
          fault={isWrong(typedLatitude, latitude) ? said.faults.latitude : null}
          onInput={(text) => setDegrees([text, typedLongitude])}
        />
        <FormField
          name="longitude"
          label={said.longitude}
          value={typedLongitude}
          fault={isWrong(typedLongitude, longitude) ? said.faults.longitude : null}
          onInput={(text) => setDegrees([typedLatitude, text])}
        />
      </div>
      <FormField name="name" label={said.placeName} value={name} onInput={setName} />
    </>
  )
}

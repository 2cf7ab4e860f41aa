/** A place on the map, in degrees. */
export interface Place {
  readonly latitude: number
  readonly longitude: number
  readonly name?: string
}

const NUMBER = String.raw`([+-]?\d{1,3}(?:\.\d+)?)`
/** Where map links and people write a latitude and a longitude, the most exact first. */
const FORMS = [
  // The place itself, in long links; what stands behind `@` is the middle of the view.
  String.raw`!3d${NUMBER}!4d${NUMBER}`,
  String.raw`[?&]mlat=${NUMBER}&mlon=${NUMBER}`,
  String.raw`[?&](?:q|query|ll|destination|center)=(?:loc:)?${NUMBER}(?:,|%2C)\s*${NUMBER}`,
  String.raw`@${NUMBER},${NUMBER}`,
  String.raw`#map=[\d.]+/${NUMBER}/${NUMBER}`,
  String.raw`^geo:${NUMBER},${NUMBER}`,
  String.raw`^${NUMBER}\s*[,;\s]\s*${NUMBER}$`,
].map((form) => new RegExp(form, 'i'))

/** The place of a pasted map link, or of two numbers; null when the text names none. Short links name none. */
export function placeIn(text: string): Place | null {
  for (const form of FORMS) {
    const [, latitude, longitude] = form.exec(text.trim()) ?? []
    const place = { latitude: Number(latitude), longitude: Number(longitude) }
    if (Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180) return place
  }
  return null
}

/** The degrees that somebody typed, with a dot or a comma; null when they are none, or beyond `most`. */
export function degreesIn(text: string, most: number): number | null {
  const typed = text.trim().replace(',', '.').replace('\u2212', '-')
  return /^[+-]?\d{1,3}(\.\d+)?$/.test(typed) && Math.abs(Number(typed)) <= most ? Number(typed) : null
}

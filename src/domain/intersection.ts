/**
 * What has everything that the members of a union have: the needs of a list of parts, or what a list of parts offers.
 */
export type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  whole: infer Whole,
) => void
  ? Whole
  : never

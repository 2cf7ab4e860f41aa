/** A type that has all that each member of a union has: what the parts of a list need together, or offer together. */
export type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  whole: infer Whole,
) => void
  ? Whole
  : never

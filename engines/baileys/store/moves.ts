/**
 * What places of a store know of moves between them, as tables of both drivers. A move that stands open has a row
 * `leaving` where the number comes from, and `arrived`, in the commit of its rows, where it goes to. Once it ended,
 * `gone` stands where the number came from, until numbers move there again. `other` is the id of the other place;
 * places get ids at their first move.
 */
export const MOVES = `
  create table if not exists moves (
    move_id text primary key, number_id text not null, way text not null, other text not null
  );
  create table if not exists place (id text not null);
`

/** Where a store may live. */
export type PlaceKind = 'sqlite' | 'postgres'

/** The command that carries a store over. */
export function moveCommand(from: PlaceKind): string {
  return `npm run engine -- move --from ${from} --to ${from === 'sqlite' ? 'postgres' : 'sqlite'}`
}

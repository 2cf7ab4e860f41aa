import { Migration } from '@mikro-orm/migrations'
import { onEveryPart, onMonthParts } from './month-parts.ts'

/**
 * Takes away what each event and each delivery wrote and nothing reads: the index of positions, which are compared
 * behind their transaction alone, and that of a node's batches, a table of few rows. An event is known by its id.
 */
export class FewerIndexes extends Migration {
  override up(): void {
    this.addSql(onEveryPart('events', dropConstraints('p')))
    this.addSql(onMonthParts('events', `${dropConstraints('u')} ${addKey('primary key (id)')}`))
    this.addSql('drop index delivery_batches_node')
  }

  override down(): void {
    this.addSql('create index delivery_batches_node on delivery_batches (node_id)')
    this.addSql(onMonthParts('events', `${dropConstraints('p')} ${addKey('unique (id)')}`))
    this.addSql(onEveryPart('events', addKey('primary key (position)')))
  }
}

/** SQL that drops the keys of `part` of a kind: `p` is the primary one, `u` are those that are only unique. */
function dropConstraints(kind: 'p' | 'u'): string {
  return `for found in select conname from pg_constraint where conrelid = part and contype = '${kind}' loop
        execute format('alter table %s drop constraint %I', part, found);
      end loop;`
}

function addKey(key: string): string {
  return `execute format('alter table %s add ${key}', part);`
}

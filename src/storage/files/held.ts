/** When a file expires that a template has: not by time. */
export const HELD = new Date(Date.UTC(9999, 11, 31))

/**
 * Our choice: a file that its template has let go of may belong to messages that were accepted before. They may be due 30 days later, and wait
 * for 7 days more (contract 4); a day longer.
 */
export const LET_GO_MS = 38 * 24 * 3_600_000

/**
 * Files of tenant `$3` that templates name (`$1`) become theirs until `$4`, which is HELD. Those that the templates `$2` do not name any more have
 * neither template nor number, and their time begins with the next purge. What another template has stays there.
 */
export const TAKE_OVER = `with named as (
    select * from json_to_recordset($1::json) as r (template_id text, file_id text)
  ), let_go as (
    update message_files f set template_id = null
    where f.template_id = any($2::text[]) and not exists (select 1 from named n where n.template_id = f.template_id and n.file_id = f.id)
  )
  update message_files f set template_id = n.template_id, number_id = null, expires_at = $4::timestamptz
  from named n where f.id = n.file_id and f.tenant_id = $3 and f.template_id is null`

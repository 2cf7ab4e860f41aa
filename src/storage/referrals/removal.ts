/** Removes the referrals of number `$1`, whose row is gone; its ads went with that. */
export const REMOVE_REFERRALS = 'delete from referrals where number_id = $1'

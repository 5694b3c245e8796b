/** Words that make a number of the name of what is counted: `commentCount`, `total_tasks`, `number_of_members`. */
export const COUNTING = /^(count|counts|total|num|number|amount)$/

/** Words between them. */
export const BETWEEN = /^(of|the|all)$/

import type { Pattern } from '../../lib/domain.ts';

/**
 * Whether a Lambda event filter or an EventBridge rule matches: every field of the pattern has one of its values, or is
 * a list with one of them. Implements only the filter syntax that the service's patterns use.
 */
export function matches(pattern: Pattern, record: unknown): boolean {
  return Object.entries(pattern).every(([field, condition]) => {
    const value = (record as Record<string, unknown> | undefined)?.[field];
    if (!isRules(condition)) return matches(condition, value);
    return condition.some((rule) => {
      if (typeof rule === 'string') return [value].flat().includes(rule);
      if ('prefix' in rule) return typeof value === 'string' && value.startsWith(rule.prefix);
      return value !== undefined;
    });
  });
}

function isRules(condition: Pattern[string]): condition is Exclude<Pattern[string], Pattern> {
  return Array.isArray(condition);
}

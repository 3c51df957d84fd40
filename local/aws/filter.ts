import type { Pattern } from '../../lib/domain.ts';

/**
 * Whether a Lambda event filter or an EventBridge rule matches: every field of the pattern has one of its values, or is
 * a list with one of them. Implements only the filter syntax that the service's patterns use.
 */
export function matches(pattern: Pattern, record: unknown): boolean {
  return Object.entries(pattern).every(([field, wanted]) => {
    const value = (record as Record<string, unknown> | undefined)?.[field];
    if (!isRules(wanted)) return matches(wanted, value);
    return wanted.some((rule) => {
      if (typeof rule === 'string') return [value].flat().includes(rule);
      if ('prefix' in rule) return typeof value === 'string' && value.startsWith(rule.prefix);
      return value !== undefined;
    });
  });
}

function isRules(wanted: Pattern[string]): wanted is Exclude<Pattern[string], Pattern> {
  return Array.isArray(wanted);
}

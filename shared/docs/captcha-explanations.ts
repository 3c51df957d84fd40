/** Cause and remedy of the errors of captchas. */
export const captchaExplanations = {
  captcha_required: {
    cause:
      'The project requires a captcha for this request, always or after some failures, and the request has no `captcha_token`. `provider` and `site_key` name the captcha to show.',
    remedy: 'Show the captcha, and send the request again with its token as `captcha_token`.',
  },
  captcha_invalid: {
    cause:
      'The provider does not accept the token, because it was used, has expired or was made up; or the token is from a page or an action that the project does not expect, or its score is too low.',
    remedy: 'Reset the captcha on the page, and send the request again with a new token.',
  },
};
